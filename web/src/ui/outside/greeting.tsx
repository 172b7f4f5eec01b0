import { Text } from '@mantine/core';
import { useInstance } from '../../api/use-instance.ts';
import styles from './outside.module.css';

/** What the administrator says to everyone who opens a page outside the drive. */
export function Greeting() {
  const { greeting } = useInstance();
  if (greeting === null) return null;
  return (
    <Text c="dimmed" size="sm" ta="center" className={styles.greeting}>
      {greeting}
    </Text>
  );
}
