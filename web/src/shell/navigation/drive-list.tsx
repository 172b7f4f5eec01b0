import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { DriveFolders } from './drive-folders.tsx';
import classes from './navigation.module.css';
import { BIN, FILES, LINKS, PlaceLink, VIEW_LINKS } from './place-link.tsx';

/** The pages of a shared drive, below its name. */
const DRIVE_LINKS = [...VIEW_LINKS, LINKS, BIN];

interface DriveListProps {
  readonly drives: readonly DriveRecord[];
  readonly onChosen: () => void;
}

/** The shared drives in the navigation. The shown one has links to its pages. */
export function DriveList({ drives, onChosen }: DriveListProps) {
  const { t } = useTranslation();
  const shownId = useDriveId();
  return (
    <ul className={classes.drives} aria-label={t('nav.drives')}>
      {drives.map(({ id, name }) => (
        <li key={id}>
          <DriveFolders
            drive={id}
            name={name ?? ''}
            link={<PlaceLink to={FILES} drive={id} label={name} onChosen={onChosen} />}
            onChosen={onChosen}
          />
          {id === shownId && (
            <ul className={classes.drives} aria-label={t('drives.placesOf', { name })}>
              {DRIVE_LINKS.map((each) => (
                <li key={each.place}>
                  <PlaceLink to={each} drive={id} onChosen={onChosen} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
