export type ShareKind = 'V2' | 'LEGACY';
