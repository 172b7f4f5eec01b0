import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { Directory } from './directory.tsx';
import { ROOT } from './drive-paths.ts';

export function DrivePage() {
  const { _splat = '' } = useParams({ from: '/inside/drive/$' });
  const path = _splat === '' ? ROOT : `/${_splat.replace(/\/+$/, '')}`;
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  return <Directory key={path} path={path} isNarrow={isNarrow} />;
}
