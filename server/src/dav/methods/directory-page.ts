import { escapeXml } from '../xml/write-xml.ts';

/**
 * The page that a browser shows at a directory's address. It tells which address to enter on each system, but
 * does not list the directory.
 */
export function directoryPage(name: string, address: URL): string {
  const { host, pathname, protocol } = address;
  const isSecure = protocol === 'https:';
  const code = (text: string) => `<code>${toText(text)}</code>`;
  const withScheme = (scheme: string) => code(`${scheme}${isSecure ? 's' : ''}://${host}${pathname}`);
  const usual = code(address.href);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${toText(name === '' ? 'Holdall' : name)}</title>
<h1>This is a WebDAV address</h1>
<p>Browsers cannot show it. Enter the address into a program for files, with your account name and an app
password. You create app passwords in your profile; the password of your account is not accepted here.</p>
<ul>
<li>macOS: in the Finder, Go &gt; Connect to Server, ${usual}</li>
<li>Windows: in the Explorer, This PC &gt; Map network drive, ${usual}<br>
In other programs and in scripts, ${code(toUnc(address))}</li>
<li>GNOME: in Files, Other Locations, ${withScheme('dav')}</li>
<li>KDE: in Dolphin, ${withScheme('webdav')}</li>
<li>rclone: a remote of type webdav with vendor owncloud, url ${usual}</li>
</ul>
`;
}

/**
 * Escapes a text for HTML. Characters that would change the direction of the text are shown as their code
 * points.
 */
function toText(text: string): string {
  return escapeXml(text).replaceAll(/\p{Bidi_Control}/gu, (mark) => `&lt;U+${hexOf(mark)}&gt;`);
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** The directory's address as a Windows network path. */
function toUnc({ protocol, hostname, port, pathname }: URL): string {
  const server = [hostname, ...(protocol === 'https:' ? ['SSL'] : []), ...(port === '' ? [] : [port])].join(
    '@',
  );
  return `\\\\${server}\\DavWWWRoot${decodeURIComponent(pathname).replace(/\/$/, '').replaceAll('/', '\\')}`;
}
