import { Button, Group, Menu, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '#contract/permissions.ts';
import { currentUser, endSession, useSession } from '#src/access/session.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { canInstall, install } from '#src/device/install-prompt.ts';
import { countOf } from '#src/lib/format.ts';
import { removeAllPacks } from '#src/offline/media/packs.ts';
import { deletePersonDb, personDb } from '#src/offline/store/person-db.ts';
import { IconDownload, IconKey, IconLogout, IconPeople, IconSun } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { AccountSign } from '#src/features/account/account-sign.tsx';

/** Signs out. With nothing unsent, everything of the person's leaves this device; else it stays, locked to them. */
const leave = async (): Promise<void> => {
  const user = currentUser();
  if (!user) return;
  const unsent = await personDb(user.uuid)
    .outbox.count()
    .catch(() => 1);
  await endSession();
  if (unsent === 0) {
    await removeAllPacks(user.uuid).catch(() => undefined);
    await deletePersonDb(user.uuid).catch(() => undefined);
  }
  location.assign('/');
};

/** Who is signed in, how it looks, and the way out. */
export const AccountMenu = () => {
  const user = useSession();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [sending, setSending] = useState(false);
  if (!user) return null;
  const signOut = async () => {
    const unsent = await personDb(user.uuid)
      .outbox.count()
      .catch(() => 1);
    if (unsent > 0) openModal('sign-out', unsent);
    else await leave();
  };
  const sendFirst = async () => {
    setSending(true);
    await sendNow();
    const left = await personDb(user.uuid).outbox.count();
    setSending(false);
    if (left === 0) await leave();
    else openModal('sign-out', left);
  };
  return (
    <>
      <Menu defaultOpened position="bottom-end" width={280} shadow="md" radius="md">
        <Menu.Target>
          <AccountSign user={user} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text fw={700} c="var(--app-text)">
              {user.name}
            </Text>
            <Text size="sm" c="dimmed">
              {user.primary_entity.name}
            </Text>
          </Menu.Label>
          <Menu.Item leftSection={<IconPeople size={20} />} mih={44} onClick={() => navigate(`/users/${user.uuid}`)}>
            My training record
          </Menu.Item>
          {can(user, 44) && (
            <Menu.Item leftSection={<IconKey size={20} />} mih={44} onClick={() => navigate('/update-password')}>
              Change password
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconSun size={20} />}
            mih={44}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(colorScheme === 'light' ? 'dark' : colorScheme === 'dark' ? 'auto' : 'light')}
          >
            Appearance: {colorScheme === 'auto' ? 'as the tablet' : colorScheme}
          </Menu.Item>
          {canInstall() && (
            <Menu.Item leftSection={<IconDownload size={20} />} mih={44} onClick={() => void install()}>
              Install on this tablet
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={20} />} mih={44} onClick={() => void signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RegisteredModal<number> name="sign-out" title="Not everything has been sent">
        {(unsent) => (
          <Stack>
            <Text size="md">
              {countOf(unsent, 'thing', 'things')} that you did {unsent === 1 ? 'has' : 'have'} not been sent yet. If you sign out now,{' '}
              {unsent === 1 ? 'it stays' : 'they stay'} on this tablet, under your name only, and {unsent === 1 ? 'is' : 'are'} sent when you sign in
              here again.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" loading={sending} onClick={() => void sendFirst()}>
                Send now
              </Button>
              <Button
                onClick={() => {
                  closeModal('sign-out');
                  void leave();
                }}
              >
                Sign out, keep it here
              </Button>
            </Group>
          </Stack>
        )}
      </RegisteredModal>
    </>
  );
};
