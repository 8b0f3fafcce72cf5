import { List, Stack, Text } from '@mantine/core';
import type { InstallWay } from '#src/device/install-prompt.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';

export const installHelpName = 'install-help';

const steps: Record<Exclude<InstallWay, 'offered' | 'none'>, readonly string[]> = {
  ipad: [
    'Press Share, the square with an arrow that points up.',
    'Choose “Add to Home Screen”.',
    'Press “Add”, and open Lantern from the Home Screen.',
  ],
  mac: ['Open the menu “File”.', 'Choose “Add to Dock”.', 'Press “Add”, and open Lantern from the Dock.'],
  'firefox-android': ['Open the menu of Firefox, the three dots.', 'Choose “Add app to Home screen”.', 'Open Lantern from the Home screen.'],
};
/** Apple's installed apps share nothing with the browser that they came from. */
const startsEmpty: readonly InstallWay[] = ['ipad', 'mac'];

/** How somebody installs the app where the browser does not offer to do it. */
export const InstallHelp = () => (
  <RegisteredModal<InstallWay> name={installHelpName} title="Install on this tablet">
    {(way) =>
      way === 'none' || way === 'offered' ? (
        <Text size="md">
          This browser cannot install Lantern. It works here all the same, also without a signal: keep a bookmark. Chrome and Edge can install it, and
          Safari on an iPad can add it to the Home Screen.
        </Text>
      ) : (
        <Stack>
          <List type="ordered" spacing="xs" size="md">
            {steps[way].map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
          {startsEmpty.includes(way) && (
            <Text size="md">
              Send first what waits on this tablet: the installed app begins empty, and cannot send what waits in the browser. Sign in there, and make
              your courses available offline again. Safari does not clear the installed app after seven days.
            </Text>
          )}
        </Stack>
      )
    }
  </RegisteredModal>
);
