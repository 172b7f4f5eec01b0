export type Role = 'USER' | 'MODERATOR' | 'ADMIN';

export type ClientType = 'desktop' | 'mobile';
