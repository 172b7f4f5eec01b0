import { useParams } from '@tanstack/react-router';
import { ROOT } from '../../common/names/drive-paths.ts';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { Directory } from './directory.tsx';

export function DrivePage() {
  const { _splat = '' } = useParams({ from: '/inside/in-drive/drive/$' });
  const path = _splat === '' ? ROOT : `/${_splat.replace(/\/+$/, '')}`;
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  return <Directory key={path} path={path} isNarrow={isNarrow} isLow={isLow} />;
}
