import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Entered } from './entered.tsx';
import type { Access, System } from './systems.ts';

interface ProgramStepsProps {
  readonly system: System;
  readonly access: Access;
  /** The level of the headings. */
  readonly order: 2 | 3;
}

/** The steps for each program of a system. */
export function ProgramSteps({ system: { programs }, access, order }: ProgramStepsProps) {
  const { t } = useTranslation();
  return programs.map(({ name, areAlternatives = false, steps }) => (
    <Stack key={name} component="section" gap="sm">
      <Title order={order} size="sm">
        {t(`connect.programs.${name}`)}
      </Title>
      <Stack component={areAlternatives ? 'ul' : 'ol'} gap="sm" m={0} pl="lg" fz="sm">
        {steps.map(({ text, entered }) => (
          <li key={text}>
            <Text size="sm">{t(text, { username: access.username })}</Text>
            {entered !== undefined && <Entered text={entered(access)} />}
          </li>
        ))}
      </Stack>
    </Stack>
  ));
}
