import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { type ComponentType, useId } from 'react';
import classes from './parts.module.css';

/** There is room for a list of the parts beside a table. The style sheet contains a copy of this condition. */
const WIDE = '(min-width: 77em)';

/** A part of a page, which has its own address. */
interface Part {
  readonly name: string;
  readonly label: string;
  readonly Icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
}

export interface PartGroup {
  /** Without a title, the parts belong to no group. */
  readonly title?: string;
  readonly parts: readonly Part[];
}

export interface PartNavigationProps {
  /** The name of the navigation. */
  readonly label: string;
  readonly groups: readonly PartGroup[];
  /** The name of the shown part; undefined for an unknown address. */
  readonly current: string | undefined;
}

/** The navigation between the parts: a list beside them, or a choice above them. */
export function PartNavigation(props: PartNavigationProps) {
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  if (!isWide) return <PartChoice {...props} />;
  return (
    <nav className={classes.parts} aria-label={props.label}>
      {props.groups.map((group) => (
        <Group key={group.title ?? ''} group={group} />
      ))}
    </nav>
  );
}

function Group({ group: { title, parts } }: { readonly group: PartGroup }) {
  const id = useId();
  return (
    <>
      {title !== undefined && (
        <div id={id} className={classes.group}>
          {title}
        </div>
      )}
      <ul aria-labelledby={title === undefined ? undefined : id}>
        {parts.map(({ name, label, Icon, link }) => (
          <li key={name}>
            <Link {...link} className={classes.part} activeOptions={{ exact: true, includeSearch: false }}>
              <Icon size={18} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

type Option = NonNullable<NativeSelectProps['data']>[number];

function toOptions({ title, parts }: PartGroup): readonly Option[] {
  const items = parts.map(({ name, label }) => ({ value: name, label }));
  return title === undefined ? items : [{ group: title, items }];
}

function PartChoice({ label, groups, current }: PartNavigationProps) {
  const navigate = useNavigate();
  const parts = groups.flatMap((group) => group.parts);
  return (
    <nav className={classes.choice} aria-label={label}>
      <NativeSelect
        size="md"
        aria-label={label}
        value={current ?? ''}
        data={[...(current === undefined ? [''] : []), ...groups.flatMap(toOptions)]}
        onChange={({ currentTarget: { value } }) => {
          const part = parts.find(({ name }) => name === value);
          if (part !== undefined) void navigate(part.link);
        }}
      />
    </nav>
  );
}
