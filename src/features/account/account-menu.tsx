import { Button, Group, Menu, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { lockNow } from '#src/device/lock.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { leave } from '#src/device/leaving.ts';
import { hasLine } from '#src/device/line.ts';
import { install, installWay } from '#src/device/install-prompt.ts';
import { mayBeLocked } from '#src/device/lock-hint.ts';
import { InstallHelp, installHelpName } from '#src/features/account/install-help.tsx';
import { ActFor, actForName } from '#src/features/account/act-for.tsx';
import { LockSettings, lockSettingsName } from '#src/features/account/lock-settings.tsx';
import { MySessions, mySessionsName } from '#src/features/account/my-sessions.tsx';
import { saveFile } from '#src/lib/save-file.ts';
import { notify } from '#src/ui/notify.ts';
import { countOf, dayOf } from '#src/lib/format.ts';
import { isKnown } from '#src/offline/keys/known-people.ts';
import { sealedCopyOf } from '#src/offline/sealed-copy.ts';
import { formDraftPrefix, personDb } from '#src/offline/store/person-db.ts';
import { signingOutLoses } from '#src/screens/unsaved.ts';
import { IconBuilding, IconDownload, IconKey, IconLock, IconLogout, IconPeople, IconSun, IconTablet } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { AccountSign } from '#src/features/account/account-sign.tsx';

const unsavedName = 'sign-out-unsaved';
const doorName = 'sign-out-offline';
/** What signing out without a connection means for signing in again on this device. */
const doorWords = (isKnownHere: boolean): string =>
  isKnownHere
    ? 'There is no connection now. You can sign in again on this device without one, with your e-mail address and password. Courses and lists that you downloaded have to be downloaded again.'
    : 'There is no connection now, and without one you cannot sign in again on this device: it knows only people who signed in here with an e-mail address and password alone. Stay signed in, or lock the screen instead, until there is a connection.';

/** The account menu: the signed-in person, appearance, and sign-out. */
export const AccountMenu = () => {
  const user = useSession();
  const navigate = useNavigate();
  const acting = useActingAs();
  const { one } = useEntityWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [sending, setSending] = useState(false);
  const way = installWay();
  if (!user) return null;
  const signOut = async () => {
    const db = personDb(user.uuid);
    const [unsent, typed] = await Promise.all([
      db.outbox.count().catch(() => 1),
      db.kv
        .where('key')
        .startsWith(formDraftPrefix)
        .count()
        .catch(() => 0),
    ]);
    if (typed > 0 || signingOutLoses()) openModal(unsavedName, unsent);
    else await signOutUnsent(unsent);
  };
  const signOutUnsent = async (unsent: number) => {
    const door = hasLine() ? null : doorWords(await isKnown(user.uuid).catch(() => false));
    if (unsent > 0) openModal('sign-out', { unsent, door });
    else if (door !== null) openModal(doorName, door);
    else await leave();
  };
  const saveCopy = async () => {
    const copy = await sealedCopyOf(user.uuid);
    if (!copy) {
      notify('error', 'You can save a sealed copy once this device has connected to your organisation’s server.');
      return;
    }
    saveFile(new Blob([JSON.stringify(copy)], { type: 'application/json' }), null, `lantern-sealed-work-${dayOf(copy.made_at)}.json`);
    if (copy.signed) notify('info', 'The sealed copy has been saved. Your manager can submit it. Your work also stays on this device.');
    else
      notify(
        'error',
        'The sealed copy has been saved, but it cannot be verified as yours yet: your manager can read it but not submit it. Connect this device once and save the copy again. Your work stays here.',
      );
  };
  const sendFirst = async () => {
    setSending(true);
    await sendNow();
    const left = await personDb(user.uuid).outbox.count();
    setSending(false);
    if (left === 0) await leave();
    else openModal('sign-out', { unsent: left, door: hasLine() ? null : doorWords(await isKnown(user.uuid).catch(() => false)) });
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
          <Menu.Item leftSection={<IconPeople size={20} />} mih={44} onClick={() => navigate(`/users/${user.uuid}?tab=record`)}>
            My training record
          </Menu.Item>
          {can(user, 'entity.act_as') && !acting && (
            <Menu.Item leftSection={<IconBuilding size={20} />} mih={44} onClick={() => openModal(actForName)}>
              Act for another {one}
            </Menu.Item>
          )}
          {can(user, 'user.update_password') && (
            <Menu.Item leftSection={<IconKey size={20} />} mih={44} onClick={() => navigate('/update-password')}>
              Change password
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKey size={20} />} mih={44} onClick={() => navigate(pathTo('sign-in-ways'))}>
            How I sign in
          </Menu.Item>
          <Menu.Item leftSection={<IconTablet size={20} />} mih={44} onClick={() => openModal(mySessionsName)}>
            Where I am signed in
          </Menu.Item>
          <Menu.Item leftSection={<IconLock size={20} />} mih={44} onClick={() => openModal(lockSettingsName)}>
            Lock my work
          </Menu.Item>
          {mayBeLocked(user.uuid) && (
            <Menu.Item leftSection={<IconLock size={20} />} mih={44} onClick={() => void lockNow()}>
              Lock now
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconSun size={20} />}
            mih={44}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(colorScheme === 'light' ? 'dark' : colorScheme === 'dark' ? 'auto' : 'light')}
          >
            Appearance: {colorScheme === 'auto' ? 'as the device' : colorScheme}
          </Menu.Item>
          {way && (
            <Menu.Item
              leftSection={<IconDownload size={20} />}
              mih={44}
              onClick={() => (way === 'offered' ? void install() : openModal(installHelpName, way))}
            >
              Install on this device
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={20} />} mih={44} onClick={() => void signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LockSettings />
      <MySessions />
      <InstallHelp />
      {can(user, 'entity.act_as') && <ActFor />}
      <RegisteredModal<number> name={unsavedName} title="Sign out without saving?">
        {(unsent) => (
          <Stack>
            <Text size="md">What you typed in a form and have not saved is deleted from this device when you sign out.</Text>
            <Group justify="flex-end">
              <Button data-autofocus onClick={() => closeModal(unsavedName)}>
                Stay
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  closeModal(unsavedName);
                  void signOutUnsent(unsent);
                }}
              >
                Sign out
              </Button>
            </Group>
          </Stack>
        )}
      </RegisteredModal>
      <RegisteredModal<string> name={doorName} title="Sign out without a connection?">
        {(door) => (
          <Stack>
            <Text size="md">{door}</Text>
            <Group justify="flex-end">
              <Button data-autofocus onClick={() => closeModal(doorName)}>
                Stay
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  closeModal(doorName);
                  void leave();
                }}
              >
                Sign out
              </Button>
            </Group>
          </Stack>
        )}
      </RegisteredModal>
      <RegisteredModal<{ unsent: number; door: string | null }> name="sign-out" title="Not everything has been sent">
        {({ unsent, door }) => (
          <Stack>
            <Text size="md">
              {countOf(unsent, 'thing', 'things')} you did {unsent === 1 ? 'has' : 'have'} not been sent yet. If you sign out now,{' '}
              {unsent === 1 ? 'it stays' : 'they stay'} on this device, under your name only, and {unsent === 1 ? 'is' : 'are'} sent when you sign in
              here again. {unsent === 1 ? 'It is' : 'They are'} encrypted: nobody else can read {unsent === 1 ? 'it' : 'them'}.
            </Text>
            {door !== null && <Text size="md">{door}</Text>}
            <Group justify="flex-end">
              <Button variant="subtle" color="gray" onClick={() => void saveCopy()}>
                Save a sealed copy
              </Button>
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
