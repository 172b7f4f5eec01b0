import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { DriveFolders } from './drive-folders.tsx';
import classes from './navigation.module.css';
import { DRIVE_LINKS, FILES, PlaceLink } from './place-link.tsx';

interface DriveListProps {
  readonly drives: readonly DriveRecord[];
  /** The number of running tasks of the shown drive. */
  readonly runningMark: ReactNode;
  readonly onChosen: () => void;
}

/** The shared drives in the navigation. The shown one has links to its pages. */
export function DriveList({ drives, runningMark, onChosen }: DriveListProps) {
  const { t } = useTranslation();
  const shownId = useDriveId();
  return (
    <ul className={classes.drives} aria-label={t('nav.drives')}>
      {drives.map(({ id, name }) => (
        <li key={id}>
          <DriveFolders
            drive={id}
            name={name ?? ''}
            link={<PlaceLink {...FILES} drive={id} label={name} onChosen={onChosen} />}
            onChosen={onChosen}
          />
          {id === shownId && (
            <ul className={classes.drives} aria-label={t('drives.placesOf', { name })}>
              {DRIVE_LINKS.map((each) => (
                <li key={each.place}>
                  <PlaceLink
                    {...each}
                    drive={id}
                    mark={each.place === 'tasks' && runningMark}
                    onChosen={onChosen}
                  />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
