import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Link, Navigate, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ROOT, toDirectory } from '../common/names/drive-paths.ts';
import { type Role, useDrives } from '../features/drives/use-drive.ts';
import { notify } from '../ui/notifications/notify.ts';
import { PagePlace } from '../ui/page/page-place.ts';
import { EmptyNotice } from '../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../ui/placeholders/failure-notice.tsx';
import { ListPlaceholder } from '../ui/placeholders/list-placeholder.tsx';
import { ToFiles } from '../ui/placeholders/to-files.tsx';
import { isTyping } from './is-typing.ts';

/** A page of a shared drive. It appears once the user's role is known. */
export function SharedDriveFrame({ id }: { readonly id: number }) {
  const { data, error, isFetching, refetch } = useDrives();
  const record = data?.find((drive) => drive.id === id);
  const [hasAsked, setAsked] = useState(false);
  // The user may have become a member after the list was loaded.
  const isUnsure = data !== undefined && record === undefined && !hasAsked;
  useEffect(() => {
    if (isUnsure) void refetch().then(() => setAsked(true));
  }, [isUnsure, refetch]);
  const lastName = useRef<string>(undefined);
  if (record?.kind === 'SHARED') lastName.current = record.name ?? '';
  const name = lastName.current;
  useDemotionNotice(record?.role, name ?? '');
  if (record?.kind === 'PERSONAL') return <Navigate to="." search={{ drive: undefined }} replace />;
  if (name === undefined) {
    if (error !== null && data === undefined)
      return <FailureNotice error={error} onRetry={() => void refetch()} />;
    return isFetching || isUnsure || data === undefined ? <ListPlaceholder /> : <UnknownDrive />;
  }
  return (
    <>
      {record === undefined && <LostDrive name={name} />}
      <PagePlace value={<DriveLink name={name} />}>
        <Outlet />
      </PagePlace>
    </>
  );
}

/** Tells the user that they can no longer change the drive. */
function useDemotionNotice(role: Role | undefined, name: string): void {
  const { t } = useTranslation();
  const before = useRef(role);
  useEffect(() => {
    if (role === 'VIEWER' && before.current !== undefined && before.current !== 'VIEWER')
      notify(t('drives.demoted', { name }), 'neutral');
    before.current = role;
  }, [t, role, name]);
}

/** The name of the shared drive beside the titles of its pages. The page of folders has it in its trail. */
function DriveLink({ name }: { readonly name: string }) {
  return (
    <Anchor size="sm" c="dimmed" truncate renderRoot={(props) => <Link {...toDirectory(ROOT)} {...props} />}>
      {name}
    </Anchor>
  );
}

/**
 * Shown when the user has lost the drive while looking at it. Opens the user's own files, unless something
 * was typed in a dialog. Then they open when that dialog is closed.
 */
function LostDrive({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const leave = () => void navigate(toDirectory(ROOT, { drive: undefined }));
  const onLost = useEffectEvent(() => {
    if (isTyping()) return setOpen(true);
    notify(t('drives.lost', { name }), 'neutral');
    leave();
  });
  useEffect(() => onLost(), []);
  const onDialogEnd = useEffectEvent(() => {
    if (!isTyping()) leave();
  });
  useEffect(() => {
    if (!isOpen || !hasDialog()) return;
    const observer = new MutationObserver(() => {
      if (hasDialog()) return;
      observer.disconnect();
      onDialogEnd();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <Alert
      color="yellow"
      role="alert"
      // Above the dialog in which something was typed.
      style={{ position: 'fixed', insetInline: 16, top: 8, zIndex: 1000 }}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 280px">
          {t('drives.lostOpen', { name })}
        </Text>
        <Button size="xs" mih="var(--tap-size)" onClick={leave}>
          {t('common.backToFiles')}
        </Button>
      </Group>
    </Alert>
  );
}

function hasDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Shown for a drive that does not exist, or that the user is not a member of. */
function UnknownDrive() {
  const { t } = useTranslation();
  return (
    <EmptyNotice
      drawing="people"
      title={t('drives.unknown')}
      action={<ToFiles isOwn label={t('common.backToFiles')} />}
    >
      {t('drives.unknownText')}
    </EmptyNotice>
  );
}
