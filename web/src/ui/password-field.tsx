import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Where a password is typed: it can be looked at, and says when the letters come out large by mistake. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const [isCapsLocked, setCapsLocked] = useState(false);
  const look = (event: KeyboardEvent) => setCapsLocked(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        {...props}
        visible={isVisible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          'aria-label': t(isVisible ? 'auth.hidePassword' : 'auth.showPassword'),
          tabIndex: 0,
        }}
        onKeyDown={look}
        onKeyUp={look}
        onBlur={() => setCapsLocked(false)}
      />
      <Text size="xs" mt={isCapsLocked ? 4 : 0} role="status">
        {isCapsLocked && t('auth.capsLock')}
      </Text>
    </div>
  );
}
