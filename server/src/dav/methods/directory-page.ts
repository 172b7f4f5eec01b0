import { escapeXml } from '../xml/write-xml.ts';

/** What a browser sees at the address of a directory: how to use the address. It lists nothing. */
export function directoryPage(name: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeXml(name === '' ? 'Holdall' : name)}</title>
<h1>This is a WebDAV address</h1>
<p>Browsers cannot show it. Enter the address into a program for files, with your account name and an app
password. You create app passwords in your profile; the password of your account is not accepted here.</p>
<ul>
<li>macOS: in the Finder, Go &gt; Connect to Server.</li>
<li>Windows: in the Explorer, This PC &gt; Map network drive.</li>
<li>GNOME: in Files, Other Locations, with davs:// instead of https://.</li>
<li>KDE: in Dolphin, with webdavs:// instead of https://.</li>
<li>rclone: a remote of type webdav with vendor owncloud.</li>
</ul>
`;
}
