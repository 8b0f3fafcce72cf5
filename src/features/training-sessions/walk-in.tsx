import '@mantine/core/styles/Combobox.css';
import { Autocomplete, Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Register, WalkInArgs } from '#contract/entities/training-session.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { useSession } from '#src/access/session.ts';
import { findPeople } from '#src/api/find.ts';
import { useDraft } from '#src/device/use-draft.ts';
import { keptTeam } from '#src/device/team.ts';
import layout from '#src/ui/page.module.css';

type Person = { id: string; name: string; place: string };
const shown = ({ name, place }: Person) => (place ? `${name}, ${place}` : name);

/**
 * Adds somebody who attended without being on the list. People are searched on this device and, online, on the server;
 * a name without a match is recorded as it is, and matched to a person later.
 */
export const WalkIn = ({ register, onAdd }: { register: Register; onAdd: (args: WalkInArgs) => Promise<boolean> }) => {
  const me = useSession();
  const [shows, setShows] = useState(false);
  const draft = useDraft(`register:${register.id}:walk-in`, { typed: '', note: '' });
  const { typed, note } = draft.value;
  const open = shows || draft.found;
  const [error, setError] = useState<string | null>(null);
  const [team, setTeam] = useState<Person[]>([]);
  const [found, setFound] = useState<Person[]>([]);
  useEffect(() => {
    if (open && me) void keptTeam(me.uuid).then((kept) => setTeam(kept?.people.map((p) => ({ id: p.id, name: p.name, place: p.place })) ?? []));
  }, [open, me]);
  useEffect(() => {
    if (typed.trim().length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void findPeople(typed, stop.signal).then((answer) => {
          if (!stop.signal.aborted && 'options' in answer) setFound(answer.options.map((o) => ({ id: o.id, name: o.name, place: o.where ?? '' })));
        }),
      250,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed]);
  const on = new Set(register.delegates.filter(isOnRegister).flatMap((d) => d.user?.id ?? []));
  const people = [...new Map([...team, ...found].map((p) => [p.id, p])).values()].filter((p) => !on.has(p.id));
  // Two people with the same name at the same place are one option here; who it was is set later.
  const options = [...new Set(people.map(shown))];
  const close = () => {
    void draft.drop();
    setShows(false);
  };
  const add = async () => {
    const name = typed.trim();
    if (name === '') return setError('Enter a name.');
    const meant = people.filter((p) => shown(p) === name);
    const [only] = meant;
    const person = meant.length === 1 && only ? only : null;
    if (!(await onAdd({ user_id: person?.id ?? null, name: person?.name ?? name, note: note.trim() }))) return;
    close();
  };
  if (!open)
    return (
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => setShows(true)}>
        Somebody else came
      </Button>
    );
  return (
    <section className={`app-card ${layout.block}`} aria-label="Somebody else came">
      <Autocomplete
        label="Who came"
        description="Choose a person, or write the name as they say it: it is matched to a person later."
        limit={20}
        maxLength={200}
        data={options}
        value={typed}
        error={error}
        onChange={(to) => {
          draft.change({ typed: to, note });
          setError(null);
        }}
      />
      <TextInput
        label="Note, such as where they work"
        maxLength={500}
        value={note}
        onChange={(e) => draft.change({ typed, note: e.currentTarget.value })}
      />
      <div className={layout.tools}>
        <Button onClick={() => void add()}>Add to the register</Button>
        <Button variant="default" onClick={close}>
          Not now
        </Button>
      </div>
    </section>
  );
};
