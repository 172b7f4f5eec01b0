import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../messages/formats.ts';
import { CopiedValue } from './copied-value.tsx';
import { Fact } from './fact.tsx';
import type { Coordinates, Exposure, MetadataFacts } from './metadata-facts.ts';

/** Five decimals of a degree are a precision of about a metre. */
const DIGITS = 5;

/** What the camera recorded: its name, the exposure and the location. */
export function CameraFacts({ camera, lens, exposure, coordinates }: MetadataFacts) {
  const { t } = useTranslation();
  return (
    <>
      {camera !== undefined && <Fact name={t('details.camera')}>{camera}</Fact>}
      {lens !== undefined && <Fact name={t('details.lens')}>{lens}</Fact>}
      {exposure !== undefined && <ExposureFact {...exposure} />}
      {coordinates !== undefined && <PlaceFact {...coordinates} />}
    </>
  );
}

function ExposureFact({ time, aperture, iso, focalLength }: Exposure) {
  const { t } = useTranslation();
  const parts = [
    time !== undefined &&
      t('details.seconds', { time: typeof time === 'number' ? formatNumber(time) : time }),
    aperture !== undefined && `f/${formatNumber(aperture)}`,
    iso !== undefined && `ISO ${iso}`,
    focalLength !== undefined && t('details.millimetres', { length: formatNumber(focalLength) }),
  ];
  return <Fact name={t('details.exposure')}>{parts.filter((part) => part !== false).join(' · ')}</Fact>;
}

/** A link that opens the location in the device's maps app, if there is one. The text can be copied. */
function PlaceFact({ latitude, longitude }: Coordinates) {
  const { t } = useTranslation();
  const text = `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;
  return (
    <Fact name={t('details.coordinates')}>
      <CopiedValue value={text} label={t('details.copyCoordinates')}>
        <Anchor href={`geo:${latitude},${longitude}`} underline="always">
          {text}
        </Anchor>
      </CopiedValue>
    </Fact>
  );
}
