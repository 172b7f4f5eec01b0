import { type FileName, toFileName } from '../../base/text/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../../base/text/logical-path.ts';
import { contentTypeFor } from '../entries/content-type.ts';

/** The path, name and content type of a file that is to be created. */
export interface NewFile {
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly contentType: string;
}

/** Checks what a client sent about a new file. The default path is the root. @throws Failure `invalid` */
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
