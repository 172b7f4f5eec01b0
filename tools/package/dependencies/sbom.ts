import { createHash } from 'node:crypto';
import type { Component } from './third-party.ts';

/**
 * The list of components in a package, in the format CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/
 * @param builtAt the build time, in seconds
 */
export function toSbom(
  { name, version, builtAt }: { name: string; version: string; builtAt: number },
  components: readonly Component[],
): string {
  const main = `pkg:generic/${name}@${version}`;
  const content = components.map(({ purl, identifier, text, ...component }) => ({
    type: purl.startsWith('pkg:npm/') ? 'library' : 'platform',
    'bom-ref': purl,
    ...component,
    purl,
    licenses: [toLicence(identifier, text)],
  }));
  const serial = createHash('sha256')
    .update(`${main} ${builtAt} ${JSON.stringify(content)}`)
    .digest('hex');
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: toUuid(serial),
      version: 1,
      metadata: {
        timestamp: new Date(builtAt * 1000).toISOString(),
        component: {
          type: 'application',
          'bom-ref': main,
          name,
          version,
          purl: main,
          licenses: [{ license: { id: 'AGPL-3.0-only' } }],
        },
      },
      components: content,
      dependencies: [{ ref: main, dependsOn: components.map(({ purl }) => purl) }],
    },
    null,
    2,
  )}\n`;
}

function toLicence(identifier: string | null, text: string | null): object {
  if (identifier === null) return { license: { name: text?.split('\n')[0]?.trim() || 'unknown' } };
  return / /.test(identifier) ? { expression: identifier } : { license: { id: identifier } };
}

/** Formats a hash as a version 8 UUID (RFC 9562), which may have any content. */
function toUuid(hex: string): string {
  const digits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`;
  return `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
