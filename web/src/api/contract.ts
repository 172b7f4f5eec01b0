// The only file of the client that imports from the server: types of what no operation answers, nothing that
// runs.
export type { AuditTargetType, DevicesMessage, SessionEnd } from '../../../server/src/app/contract.ts';
