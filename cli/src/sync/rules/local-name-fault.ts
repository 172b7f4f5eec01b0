/** Names that Windows gives to devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Why a computer cannot have a file with a name of the drive; undefined if it can. A service that is not
 * honest must not be able to write outside the directory of the user.
 */
export function findLocalNameFault(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return 'it is no name of a file';
  if (platform !== 'win32') return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows forbids them.
  const character = /[<>:"|?*\\\u0000-\u001f]/.exec(name)?.[0];
  if (character !== undefined) return `Windows does not allow ${JSON.stringify(character)}`;
  if (/[ .]$/.test(name)) return 'Windows does not allow a blank or a full stop at the end';
  return DEVICE.test(name) ? 'it is the name of a device of Windows' : undefined;
}
