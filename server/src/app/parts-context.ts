import type { Logger } from 'pino';
import type { MeasureDisk } from '../admin/service-faults/disk-watch.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { ObjectClaims } from '../blobs/blobs.ts';
import type { Config } from '../config/config.ts';
import type { Pressure } from '../content-search/content-search.ts';
import type { Database } from '../database/database.ts';
import type { PushNetwork } from '../notifications/push/push.ts';
import type { Job } from '../tasks/engine/job.ts';
import type { TextExtraction } from '../texts/texts.ts';
import type { Measurements } from './metrics/measurements.ts';

/** What tests can replace or add. */
export interface PartsOverrides {
  /** Jobs that replace the jobs of the same type. */
  readonly jobs?: readonly Job[];
  /** Claimants in addition to `OBJECT_CLAIMS`. */
  readonly objectClaims?: readonly ObjectClaims[];
  /** Interval between two heartbeats of an event stream. */
  readonly eventBeatMs?: number;
  /**
   * The maximum number of entries in one copy, import or ZIP download, and below a directory whose totals are
   * counted.
   */
  readonly maxTreeEntries?: number | undefined;
  /** How long the decoding of one picture may take. */
  readonly decodingMs?: number | undefined;
  /** How text is taken from files. */
  readonly extraction?: Pick<TextExtraction, 'extract' | 'close'> | undefined;
  /** When the texts of files are taken. */
  readonly pressure?: Pressure | undefined;
  /** How the free space of the data directory is measured. */
  readonly measureDisk?: MeasureDisk;
  /** The push services that can be reached. */
  readonly pushNetwork?: PushNetwork | undefined;
}

/** What all parts are built from. */
export interface PartsContext {
  readonly config: Config;
  /** Open, with the schema of this version. */
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly measurements: Measurements;
  readonly overrides: PartsOverrides;
}
