import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { presetPath, usePresetSentence, usePresets } from '#src/screens/report-presets.tsx';
import { Rows, Widget } from '#src/screens/widgets/widget.tsx';

const shown = 6;

/** A person's saved views of reports, each with its filter in words. */
export const SavedViewsWidget = ({ title }: { title: string }) => {
  const sentence = usePresetSentence();
  return (
    <Widget title={title} read={usePresets()} all={{ to: pathTo('reports-presets'), label: 'All of them' }}>
      {(presets) => (
        <Rows
          label={title}
          none="Save what you choose in a report, and it is one press away here."
          rows={presets.slice(0, shown).map((preset) => ({
            ...{ id: preset.id, name: <Link to={presetPath(preset)}>{preset.name}</Link>, about: sentence(preset) },
          }))}
        />
      )}
    </Widget>
  );
};
