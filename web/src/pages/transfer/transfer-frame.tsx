import { Container } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../../api/use-session.ts';
import { PublicFrame } from '../../features/shares/public/public-frame.tsx';
import { Shell } from '../../shell/shell.tsx';
import { usePageTitle } from '../../shell/use-page-title.ts';

/** The frame of the transfer page: the drive's for logged-in users, a minimal one for others. */
export function TransferFrame() {
  return useSession() === undefined ? <PublicTransfer /> : <Shell />;
}

function PublicTransfer() {
  usePageTitle();
  return (
    <PublicFrame layout="page" isTransfer>
      <Container size={992} w="100%" px={0}>
        <Outlet />
      </Container>
    </PublicFrame>
  );
}
