import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { ROOT } from '../../common/names/drive-paths.ts';
import { Directory } from './directory.tsx';

export function DrivePage() {
  const { _splat = '' } = useParams({ from: '/inside/drive/$' });
  const path = _splat === '' ? ROOT : `/${_splat.replace(/\/+$/, '')}`;
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  return <Directory key={path} path={path} isNarrow={isNarrow} />;
}
