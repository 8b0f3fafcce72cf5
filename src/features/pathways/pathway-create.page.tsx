import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { PathwayForm } from '#src/features/pathways/pathway-form.tsx';
import layout from '#src/ui/page.module.css';

export const Component = () => {
  const navigate = useNavigate();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Create a pathway
      </Title>
      <PathwayForm
        pathway={null}
        success="The pathway has been created. Now choose who it is for."
        onSaved={(id) => void navigate(pathTo('pathways-by-id', { id }))}
      />
    </div>
  );
};
