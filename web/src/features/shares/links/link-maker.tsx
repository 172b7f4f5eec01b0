import { Alert, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { useDrive } from '../../drives/use-drive.ts';
import type { LinkFormProps } from './link-options.tsx';
import type { LinkOptions } from './share-options.ts';
import styles from './shares.module.css';

interface LinkMakerProps<Options, Link> {
  /** The purpose of the link. */
  readonly intro: string;
  /** Asks for the options of a new link. */
  readonly renderForm: (props: LinkFormProps<Options>) => ReactNode;
  readonly create: (options: Options) => Promise<Link>;
  readonly showNew: (link: Link, password: string) => ReactNode;
  /** The heading of the links that exist already. */
  readonly othersTitle: string;
  readonly others: readonly Link[];
  readonly renderOther: (link: Link) => ReactNode;
}

/**
 * Creates a link to a file or a folder, shows it, and lists the existing ones. Viewers of a shared drive see
 * only the list.
 */
export function LinkMaker<Options extends LinkOptions, Link extends { readonly id: number }>(
  props: LinkMakerProps<Options, Link>,
) {
  const { intro, renderForm, create, showNew, othersTitle, renderOther } = props;
  const { t } = useTranslation();
  const queries = useQueryClient();
  const canEdit = useDrive().can('EDIT');
  const [made, setMade] = useState<{ link: Link; password: string }>();
  const creation = useMutation({
    mutationFn: create,
    onSuccess: (link, { password }) => {
      setMade({ link, password });
      return queries.invalidateQueries({ queryKey: KEYS.shares() });
    },
    onError: notifyError,
  });
  const others = props.others.filter(({ id }) => id !== made?.link.id);
  return (
    <>
      {made === undefined && canEdit && (
        <>
          <Text size="sm" c="dimmed">
            {intro}
          </Text>
          {renderForm({
            action: t('shares.create'),
            isPending: creation.isPending,
            onSubmit: creation.mutate,
          })}
        </>
      )}
      {made !== undefined && (
        <>
          <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
            {t('shares.made')}
          </Alert>
          {showNew(made.link, made.password)}
          <Button variant="subtle" onClick={() => setMade(undefined)}>
            {t('shares.another')}
          </Button>
        </>
      )}
      {others.length > 0 && (
        <Stack component="section" gap="xs">
          {(canEdit || made !== undefined) && <Divider mb="xs" />}
          <Title order={3} size="h5">
            {othersTitle}
          </Title>
          <ul className={styles.list}>{others.map(renderOther)}</ul>
        </Stack>
      )}
    </>
  );
}
