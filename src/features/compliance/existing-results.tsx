import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { countOf } from '#src/lib/format.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

const dialog = 'existing-results';
const running = 'results-being-redated';
/** The `meta` of a changed rule: the results dated by the old one. */
export type ResultsSaid = { existingResult?: number; datingAnew?: number } | undefined;
export const askAboutResults = (existing: number) => openModal(dialog, existing);
export const sayResultsAreDated = (waiting: number) => openModal(running, waiting);

type Props = { effect: ReactNode; onDecide: (update: boolean) => void; onDone: () => void };
/** Asks whether results dated by the old rule should change, and says if that continues in the background. */
export const ExistingResults = ({ effect, onDecide, onDone }: Props) => (
  <>
    <RegisteredModal<number> name={dialog} title="Existing results">
      {(existing) => {
        const decide = (update: boolean) => {
          closeModal(dialog);
          onDecide(update);
        };
        return (
          <>
            <Text>
              {countOf(existing, 'result')} of this course {existing === 1 ? 'was' : 'were'} dated by the old rule. Should{' '}
              {existing === 1 ? 'it' : 'they'} be valid as long as new ones? That can change at once who is in date.
            </Text>
            {effect}
            <Group mt="lg" justify="flex-end">
              <Button variant="default" onClick={() => decide(false)}>
                Leave them as they are
              </Button>
              <Button onClick={() => decide(true)}>Recalculate their dates</Button>
            </Group>
          </>
        );
      }}
    </RegisteredModal>
    <RegisteredModal<number> name={running} title="Dates are being recalculated" onBeforeClose={onDone}>
      {(waiting) => (
        <>
          <Text>
            {countOf(waiting, 'result')} are getting new dates in the background. Until that is finished, some people’s status is still the old one.
          </Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" component={Link} to={pathTo('tasks-in-progress')}>
              See the task
            </Button>
            <Button onClick={() => closeModal(running)}>Continue</Button>
          </Group>
        </>
      )}
    </RegisteredModal>
  </>
);
