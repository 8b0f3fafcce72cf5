import '@mantine/core/styles/List.css';
import { List, Stack, Text } from '@mantine/core';
import type { InstallWay } from '#src/device/install-prompt.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';

export const installHelpName = 'install-help';

const steps: Record<Exclude<InstallWay, 'offered' | 'none'>, readonly string[]> = {
  ipad: ['Tap Share, the square with an arrow pointing up.', 'Choose “Add to Home Screen”.', 'Tap “Add”, then open Lantern from the Home Screen.'],
  mac: ['Open the File menu.', 'Choose “Add to Dock”.', 'Click “Add”, then open Lantern from the Dock.'],
  'firefox-android': ['Open the Firefox menu (three dots).', 'Choose “Add app to Home screen”.', 'Open Lantern from the Home screen.'],
};
/** On Apple devices, installed apps share no storage with the browser. */
const startsEmpty: readonly InstallWay[] = ['ipad', 'mac'];

/** How to install the app if the browser does not offer it. */
export const InstallHelp = () => (
  <RegisteredModal<InstallWay> name={installHelpName} title="Install on this device">
    {(way) =>
      way === 'none' || way === 'offered' ? (
        <Text size="md">
          This browser cannot install Lantern. You can still use it here, also without a signal: add a bookmark. Chrome and Edge can install it, and
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
              First send any unsent work on this device: the installed app starts empty and cannot send work saved in the browser. Sign in to the app
              and make your courses available offline again. Safari does not clear the installed app after seven days.
            </Text>
          )}
        </Stack>
      )
    }
  </RegisteredModal>
);
