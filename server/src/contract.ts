// What clients of ours may know of the server: the types of what goes over the wire, and nothing that runs.
export type { LoginState, ProfileBody, RegisterBody, User } from './accounts/contract.ts';
export type { Page } from './base/page.ts';
export type { BinRecord, EntryDetails, EntryRecord, ListQuery, SortKey } from './drive/contract.ts';
export type { ErrorEnvelope } from './http/envelope.ts';
export type { UploadTarget } from './http/upload-target.ts';
