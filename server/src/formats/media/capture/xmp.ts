import { SaxesParser } from 'saxes';

/** The times of an XMP packet, the best first. */
const NAMES: readonly string[] = [
  'http://ns.adobe.com/exif/1.0/ DateTimeOriginal',
  'http://ns.adobe.com/photoshop/1.0/ DateCreated',
  'http://ns.adobe.com/xap/1.0/ CreateDate',
  'http://ns.adobe.com/exif/1.0/ DateTimeDigitized',
  'http://ns.adobe.com/xap/1.0/ ModifyDate',
  'http://ns.adobe.com/tiff/1.0/ DateTime',
];

/** Reads the times of a packet, each an attribute or an element; what a cut-off packet has is used. */
export function readXmpTimes(packet: Buffer): readonly string[] {
  const found = new Map<string, string>();
  const add = (name: string, value: string) => {
    if (NAMES.includes(name) && !found.has(name)) found.set(name, value);
  };
  const parser = new SaxesParser({ xmlns: true });
  let text = '';
  parser.on('opentag', ({ attributes }) => {
    text = '';
    for (const { uri, local, value } of Object.values(attributes)) add(`${uri} ${local}`, value);
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ uri, local }) => {
    add(`${uri} ${local}`, text.trim());
    text = '';
  });
  try {
    parser.write(packet.toString('utf8').replace(/^[\0\s\uFEFF]+|\0+$/g, ''));
  } catch {
    // The rest of the packet cannot be read.
  }
  return NAMES.flatMap((name) => found.get(name) ?? []);
}
