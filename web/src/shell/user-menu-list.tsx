import { Badge, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconListCheck, IconLogout, IconPlugConnected, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { endSession } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { useRunningTasks } from '../features/tasks/use-running-tasks.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../messages/i18n.ts';
import { OpenedMenu } from '../ui/menus/opened-menu.tsx';

const THEMES = ['light', 'auto', 'dark'] as const;

const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({
  // The keys are the languages.
  value: value as Language,
  label,
}));

/** The user, their tasks, the appearance, the language and the logout. */
export function UserMenuList({ target }: { readonly target: ReactElement<object> }) {
  const { t } = useTranslation();
  const { displayName, username } = useUser();
  const running = useRunningTasks();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    // Placed next to its button in the document order, for screen readers.
    <OpenedMenu
      target={target}
      position="bottom-end"
      width={280}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Label>
        <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
          {displayName}
        </Text>
        <Text size="xs" truncate>
          {username}
        </Text>
      </Menu.Label>
      <Menu.Item
        renderRoot={(props) => <Link {...props} to="/profile/{-$part}" params={{ part: undefined }} />}
        leftSection={<IconSettings size={18} aria-hidden />}
        mih="var(--tap-size)"
      >
        {t('nav.settings')}
      </Menu.Item>
      <Menu.Item
        component={Link}
        to="/tasks"
        leftSection={<IconListCheck size={18} aria-hidden />}
        rightSection={
          running > 0 && (
            <Badge size="sm" circle aria-label={t('nav.running', { count: running })}>
              {running}
            </Badge>
          )
        }
        mih="var(--tap-size)"
      >
        {t('nav.tasks')}
      </Menu.Item>
      <Menu.Item
        component={Link}
        to="/connect"
        leftSection={<IconPlugConnected size={18} aria-hidden />}
        mih="var(--tap-size)"
      >
        {t('nav.connect')}
      </Menu.Item>
      <Menu.Divider />
      <Choices
        label={t('look.theme')}
        choices={THEMES.map((theme) => ({ value: theme, label: t(`look.${theme}`) }))}
        chosen={colorScheme}
        onChoose={setColorScheme}
      />
      <Choices
        label={t('look.language')}
        choices={LANGUAGE_CHOICES}
        chosen={currentLanguage()}
        onChoose={(language) => void chooseLanguage(language)}
      />
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={logOut} mih="var(--tap-size)">
        {t('nav.logOut')}
      </Menu.Item>
    </OpenedMenu>
  );
}

/** A choice in the menu. The menu stays open, so that the selection is visible. */
function Choices<T extends string>(parts: {
  label: string;
  choices: readonly { readonly value: T; readonly label: string }[];
  chosen: T;
  onChoose: (value: T) => void;
}) {
  const { label, choices, chosen, onChoose } = parts;
  return (
    <Menu.RadioGroup
      value={chosen}
      onChange={(value) => {
        const choice = choices.find((one) => one.value === value);
        if (choice !== undefined) onChoose(choice.value);
      }}
    >
      <Menu.Label>{label}</Menu.Label>
      {choices.map(({ value, label: name }) => (
        <Menu.RadioItem key={value} value={value} mih="var(--tap-size)">
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

async function logOut(): Promise<void> {
  // Logs out locally even if the service is unreachable.
  await ask('POST /api/auth/logout').catch(() => undefined);
  endSession();
}
