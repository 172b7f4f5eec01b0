// The only file of the client that imports from the server. It imports only types, which are not part of any
// operation's response.
export type { AuditTargetType, DevicesMessage, SessionEnd } from '../../../server/src/app/contract.ts';
