import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { labelled } from '../labelled.ts';

/** A password field that can show its content and warns about caps lock. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const [isCapsLocked, setCapsLocked] = useState(false);
  const look = (event: KeyboardEvent) => setCapsLocked(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        aria-invalid={Boolean(props.error)}
        {...props}
        visible={isVisible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          ...labelled(t(isVisible ? 'auth.hidePassword' : 'auth.showPassword')),
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
