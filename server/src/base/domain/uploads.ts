export type TicketPurpose = 'FILE' | 'AVATAR';

export type UploadKind = 'SESSION' | 'LEGACY';

export type UploadMode = 'PROXY' | 'DIRECT_SINGLE' | 'DIRECT_MULTIPART';

export type UploadStatus =
  | 'CREATED'
  | 'UPLOADING'
  | 'COMPLETING'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'FAILED';
