import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { TeamMember } from '#contract/entities/compliance.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { type KeptTeam, keptTeam } from '#src/device/team.ts';
import { RequiredCourses } from '#src/features/users/required-courses.tsx';
import { ComplianceBadge } from '#src/features/users/compliance-badge.tsx';
import { countOf } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { AsOf } from '#src/ui/as-of.tsx';
import { IconPeople } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const useKeptTeam = (): KeptTeam | null | undefined => {
  const me = useSession();
  const acting = useActingAs();
  const [team, setTeam] = useState<KeptTeam | null | undefined>(undefined);
  const id = acting ? undefined : me?.uuid;
  useEffect(() => {
    if (!id) return setTeam(null);
    let isUnmounted = false;
    void keptTeam(id)
      .catch(() => null)
      .then((kept) => !isUnmounted && setTeam(kept));
    return () => {
      isUnmounted = true;
    };
  }, [id]);
  return team;
};
const standingOf = ({ must }: TeamMember) => {
  const red = must.filter((c) => complianceColourOf[c.status] === 'red').length;
  const amber = must.filter((c) => complianceColourOf[c.status] === 'amber').length;
  return { overdue: red, current: amber, required: must.length, required_overdue: red };
};

/** The people stored on this device, searchable by name, for offline use. */
export const KeptPeople = ({ search, filter, onRetry }: { search: string; filter: string; onRetry: () => void }) => {
  const team = useKeptTeam();
  if (team === undefined) return <LoadingState label="Looking on this device" />;
  if (team === null) return <OfflineState what="The list of people needs a connection once; then this device keeps it." onRetry={onRetry} />;
  const sought = search.trim().toLowerCase();
  const found = filter === 'left' ? [] : team.people.filter((p) => p.name.toLowerCase().includes(sought));
  return (
    <>
      <AsOf at={team.at} onRetry={onRetry} />
      {filter === 'left' && <Text>People who have left are not stored on this device.</Text>}
      {filter !== 'left' && (
        <p className={layout.count}>
          {countOf(found.length, 'person', 'people')}
          {team.total > team.people.length && `, of the ${team.people.length} of ${team.total} whom this device stores`}
        </p>
      )}
      {found.length === 0 && filter !== 'left' && (
        <EmptyState icon={<IconPeople size={36} />} title={`Nobody found for “${search}”`}>
          Try a part of the name.
        </EmptyState>
      )}
      <ul className={layout.list}>
        {found.map((person) => (
          <li key={person.id}>
            <Link to={pathTo('users-by-uuid', { uuid: person.id })} className={`app-card ${layout.row}`}>
              <span>
                <strong>{person.name}</strong>
                <small>{[person.role, person.place].filter(Boolean).join(' · ')}</small>
              </span>
              <ComplianceBadge courses={standingOf(person)} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
};

/** One person as stored on this device, for offline use. */
export const KeptPerson = ({ uuid, onRetry }: { uuid: string; onRetry: () => void }) => {
  const team = useKeptTeam();
  if (team === undefined) return <LoadingState label="Looking on this device" />;
  const person = team?.people.find((p) => p.id === uuid);
  if (!team || !person) return <OfflineState order={1} what="A training record needs a connection." onRetry={onRetry} />;
  return (
    <DetailPage title={person.name} badge={<ComplianceBadge courses={standingOf(person)} />} about={[person.role, person.place]}>
      <AsOf at={team.at} onRetry={onRetry} />
      {person.must.length === 0 ? <Text>Their job roles require no training.</Text> : <RequiredCourses userId={person.id} courses={person.must} />}
    </DetailPage>
  );
};
