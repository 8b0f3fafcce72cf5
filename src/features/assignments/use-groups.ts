import { useEffect, useState } from 'react';
import { useCan } from '#src/access/use-can.ts';
import { call } from '#src/api/call.ts';

type Group = { id: string; name: string };

/** The job roles and user types that are used in an organisation; none where one may not see them. */
export const useGroups = (slug: string): { roles: Group[]; types: Group[] } => {
  const [groups, setGroups] = useState<{ roles: Group[]; types: Group[] }>({ roles: [], types: [] });
  const [seesRoles, seesTypes] = [useCan(['role.view', 'role.view_read_only', 'user.role']), useCan(['type.view', 'user.type'])];
  useEffect(() => {
    let gone = false;
    void Promise.all([
      seesRoles ? call('GET /entities/{slug}/roles', { params: { slug } }, { quiet: true }) : null,
      seesTypes ? call('GET /entities/{slug}/types', { params: { slug } }, { quiet: true }) : null,
    ]).then(([roles, types]) => {
      if (!gone) setGroups({ roles: roles?.kind === 'ok' ? roles.data : [], types: types?.kind === 'ok' ? types.data : [] });
    });
    return () => {
      gone = true;
    };
  }, [slug, seesRoles, seesTypes]);
  return groups;
};
