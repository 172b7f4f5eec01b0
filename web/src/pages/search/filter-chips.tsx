import { Button, Group, Menu, SegmentedControl } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDrives } from '../../features/drives/use-drive.ts';
import { useHasContentSearch } from '../../features/search/use-content-search.ts';
import {
  CHANGED,
  hasFilters,
  kindsIn,
  readFilters,
  type SearchFilters,
  SIZES,
  withoutFilters,
} from './filters.ts';
import classes from './search-page.module.css';

const FolderPicker = lazyPart(
  async () => (await import('../../features/entries/folder-picker/folder-picker.tsx')).FolderPicker,
);

const ANY = 'any';
const THIS = 'this';
const NAMES = 'names';

interface FilterChipsProps {
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
}

/** Chooses what is searched, and narrows the search down by kind, time, size and location. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { t } = useTranslation();
  const set = (change: SearchFilters) => onChange({ ...filters, ...change });
  return (
    <Group gap={6} role="group" aria-label={t('search.filters')}>
      <TargetChoice target={filters.in} onChoose={(target) => set(readFilters({ ...filters, in: target }))} />
      <ScopeChoice
        scope={filters.scope}
        onChoose={(scope) => set({ scope, ...(scope === 'all' && { under: undefined }) })}
      />
      <ChoiceChip
        label={t('search.kind')}
        choices={kindsIn(filters.in === 'content').map((value) => ({
          value,
          label: t(`search.kinds.${value}`),
        }))}
        chosen={filters.kind}
        onChoose={(kind) => set({ kind })}
      />
      <ChoiceChip
        label={t('search.changed')}
        choices={CHANGED.map((value) => ({ value, label: t(`search.times.${value}`) }))}
        chosen={filters.changed}
        onChoose={(changed) => set({ changed })}
      />
      <ChoiceChip
        label={t('search.size')}
        choices={SIZES.map((value) => ({ value, label: t(`search.sizes.${value}`) }))}
        chosen={filters.size}
        onChoose={(size) => set({ size })}
      />
      {filters.scope !== 'all' && <PlaceChip under={filters.under} onChoose={(under) => set({ under })} />}
      {hasFilters(filters) && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          mih="var(--tap-size)"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => onChange(withoutFilters(filters))}
        >
          {t('search.clearFilters')}
        </Button>
      )}
    </Group>
  );
}

interface TargetChoiceProps {
  readonly target: SearchFilters['in'];
  readonly onChoose: (target: SearchFilters['in']) => void;
}

/** Whether names or the content of files are searched. Hidden if the server cannot search content. */
function TargetChoice({ target, onChoose }: TargetChoiceProps) {
  const { t } = useTranslation();
  if (useHasContentSearch() !== true) return null;
  return (
    <SegmentedControl
      size="xs"
      className={classes.choice}
      aria-label={t('search.what')}
      value={target ?? NAMES}
      data={[
        { value: NAMES, label: t('search.names') },
        { value: 'content', label: t('search.content') },
      ]}
      onChange={(value) => onChoose(value === 'content' ? 'content' : undefined)}
    />
  );
}

interface ScopeChoiceProps {
  readonly scope: SearchFilters['scope'];
  readonly onChoose: (scope: SearchFilters['scope']) => void;
}

/** Whether the shown drive or all drives are searched. Hidden from users with a single drive. */
function ScopeChoice({ scope, onChoose }: ScopeChoiceProps) {
  const { t } = useTranslation();
  const { data: drives = [] } = useDrives();
  if (drives.length < 2 && scope === undefined) return null;
  return (
    <SegmentedControl
      size="xs"
      className={classes.choice}
      aria-label={t('search.scope')}
      value={scope ?? THIS}
      data={[
        { value: THIS, label: t('search.thisDrive') },
        { value: 'all', label: t('search.allDrives') },
      ]}
      onChange={(value) => onChoose(value === 'all' ? 'all' : undefined)}
    />
  );
}

interface ChoiceChipProps<V extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: V; readonly label: string }[];
  readonly chosen: V | undefined;
  readonly onChoose: (value: V | undefined) => void;
}

function ChoiceChip<V extends string>({ label, choices, chosen, onChoose }: ChoiceChipProps<V>) {
  const { t } = useTranslation();
  const current = choices.find(({ value }) => value === chosen);
  return (
    <Menu
      shadow="md"
      position="bottom-start"
      width={220}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          {...chipLooks(current !== undefined)}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          {current === undefined ? label : `${label}: ${current.label}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={chosen ?? ANY}
          onChange={(value) => onChoose(choices.find((choice) => choice.value === value)?.value)}
        >
          {[{ value: ANY, label: t('search.any') }, ...choices].map(({ value, label: text }) => (
            <Menu.RadioItem key={value} value={value} mih="var(--tap-size)" closeMenuOnClick>
              {text}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function PlaceChip({
  under,
  onChoose,
}: {
  readonly under: string | undefined;
  readonly onChoose: (under: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const [isPicking, setPicking] = useState(false);
  return (
    <>
      <Button
        {...chipLooks(under !== undefined)}
        title={under}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        onClick={() => setPicking(true)}
      >
        {under === undefined ? t('search.place') : `${t('search.place')}: ${nameOf(under)}`}
      </Button>
      {isPicking && (
        <Suspense fallback={null}>
          <FolderPicker
            title={t('search.placeTitle')}
            action={t('search.placeAction')}
            startAt={under ?? '/'}
            onPick={(path) => {
              setPicking(false);
              onChoose(path === '/' ? undefined : path);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function chipLooks(isSet: boolean) {
  return {
    variant: isSet ? 'light' : 'default',
    radius: 'xl',
    size: 'compact-sm',
    fw: 400,
    mih: 'var(--tap-size)',
    px: 10,
  } as const;
}
