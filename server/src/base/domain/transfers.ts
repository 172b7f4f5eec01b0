export type TransferMode = 'ONLINE' | 'OFFLINE';

export type TransferStatus = 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';

export type PeerRole = 'sender' | 'receiver';
