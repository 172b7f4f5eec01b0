import { type FileName, toFileName } from '../../base/text/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../../base/text/logical-path.ts';
import { contentTypeFor } from '../entries/content-type.ts';

/** Where a new file goes, and as what. */
export interface NewFile {
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly contentType: string;
}

/** Without a path it is the root of the drive. @throws Failure `invalid` */
export function toNewFile(sent: {
  readonly path?: string | undefined;
  readonly filename: string;
  readonly contentType?: string | null | undefined;
}): NewFile {
  return {
    directoryPath: toLogicalPath(sent.path ?? '/'),
    name: toFileName(sent.filename),
    contentType: contentTypeFor(sent.filename, sent.contentType),
  };
}
