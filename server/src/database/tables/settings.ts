import type { Instant } from '../../base/clock.ts';

export interface SettingTable {
  name: string;
  value: string;
  updated_at: Instant;
}
