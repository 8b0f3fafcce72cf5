import { useNavigate } from 'react-router-dom';
import type { EntityRef } from '#contract/entities/entity.ts';
import { actFor } from '#src/access/session.ts';
import { leaveForms } from '#src/screens/unsaved.ts';

/** Begins to act for an organisation (permission `entity.act_as`), at its home page. Forms that would lose something ask first. */
export const useActFor = () => {
  const navigate = useNavigate();
  return ({ id, name, slug }: EntityRef) =>
    leaveForms(() => {
      actFor({ id, name, slug });
      void navigate('/');
    });
};
