import { Failure } from '../base/failure.ts';
import type { XmlName } from './xml/names.ts';

/** A condition of RFC 4918, section 16, with what its element contains. */
export interface Condition {
  readonly name: XmlName;
  /** The addresses of the affected resources. */
  readonly hrefs?: readonly string[];
}

/** A WebDAV answer that rejects a request. The body is a `DAV:error` element, or empty. */
export class DavError extends Failure {
  readonly status: number;
  readonly condition: Condition | undefined;

  constructor(status: number, message: string, condition?: Condition) {
    super('rejected', message);
    this.name = 'DavError';
    this.status = status;
    this.condition = condition;
  }
}
