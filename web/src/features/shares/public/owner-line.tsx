import { Avatar } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './public-frame.module.css';

interface OwnerLineProps {
  readonly name: string;
  /** Undefined without a picture. */
  readonly avatarUrl: string | undefined;
  /** The sentence that names the owner. */
  readonly children: ReactNode;
}

/** Who shares something, with their picture. */
export function OwnerLine({ name, avatarUrl, children }: OwnerLineProps) {
  return (
    <div className={styles.owner}>
      {avatarUrl !== undefined && (
        <Avatar src={avatarUrl} name={name} color="blue" radius="50%" size={32} alt="" aria-hidden />
      )}
      {children}
    </div>
  );
}
