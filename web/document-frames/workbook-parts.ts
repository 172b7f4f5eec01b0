// Finds the parts of a workbook. Office programs follow its relations (ECMA-376 part 2, section 9.3), but the
// library expects the names that Excel uses.
import { DocumentError } from './frame.ts';
import type { Package } from './open-package.ts';

const WORKBOOK = 'xl/workbook.xml';
const WORKBOOK_RELATIONS = 'xl/_rels/workbook.xml.rels';

/** Renames the workbook and its relations as in Excel, and removes hidden sheets. @throws DocumentError */
export function toExcelParts(files: Package): void {
  // Part names are case-insensitive.
  const names = new Map([...files.keys()].map((name) => [name.toLowerCase(), name]));
  const findPart = (name: string) => names.get(name.toLowerCase());
  const workbook = findWorkbook(files, findPart);
  const slash = workbook.lastIndexOf('/') + 1;
  const directory = workbook.slice(0, slash);
  const relations = findPart(`${directory}_rels/${workbook.slice(slash)}.rels`);
  if (relations !== undefined) {
    const xml = parseXml(files, relations);
    for (const relation of xml.getElementsByTagNameNS('*', 'Relationship')) {
      const target = relation.getAttribute('Target') ?? '';
      if (relation.getAttribute('TargetMode') === 'External') continue;
      const path = resolvePart(directory, target);
      relation.setAttribute('Target', `/${findPart(path) ?? path}`);
    }
    writeXml(files, WORKBOOK_RELATIONS, xml);
  }
  const xml = parseXml(files, workbook);
  removeHiddenSheets(xml);
  writeXml(files, WORKBOOK, xml);
}

function findWorkbook(files: Package, findPart: (name: string) => string | undefined): string {
  const root = findPart('_rels/.rels');
  if (root !== undefined) {
    for (const relation of parseXml(files, root).getElementsByTagNameNS('*', 'Relationship')) {
      if (relation.getAttribute('Type')?.endsWith('/officeDocument') !== true) continue;
      const found = findPart(resolvePart('', relation.getAttribute('Target') ?? ''));
      if (found !== undefined) return found;
    }
  }
  const found = findPart(WORKBOOK);
  if (found === undefined) throw new DocumentError('damaged');
  return found;
}

/** Removes hidden sheets, unless no sheet is visible. Then all sheets are shown. */
function removeHiddenSheets(workbook: Document): void {
  const sheets = [...workbook.getElementsByTagNameNS('*', 'sheet')];
  const isHidden = (sheet: Element) => /^(?:veryH|h)idden$/.test(sheet.getAttribute('state') ?? '');
  if (sheets.every(isHidden)) return;
  for (const sheet of sheets.filter(isHidden)) sheet.remove();
}

/**
 * The part that a relation names.
 * @param directory that of the relation's source part, ending with a slash
 */
function resolvePart(directory: string, target: string): string {
  try {
    const { pathname } = new URL(target.replaceAll('\\', '/'), `https://package.invalid/${directory}`);
    return decodeURIComponent(pathname.slice(1));
  } catch (error) {
    throw new DocumentError('damaged', { cause: error });
  }
}

function parseXml(files: Package, name: string): Document {
  const xml = new DOMParser().parseFromString(new TextDecoder().decode(files.get(name)), 'text/xml');
  if (xml.querySelector('parsererror') !== null) throw new DocumentError('damaged');
  return xml;
}

function writeXml(files: Package, name: string, xml: Document): void {
  files.set(name, new TextEncoder().encode(new XMLSerializer().serializeToString(xml)));
}
