import type { EditedBlock } from '#src/features/content-designer/edited.ts';
import { icon, IconCheck, IconClock, IconHelp, IconPathway, IconText } from '#src/ui/icons.tsx';

export const IconUndo = icon(<path d="M8.500 5 4 9.500 8.500 14M4.500 9.500h9a5.500 5.500 0 0 1 0 11H9" />);
export const IconRedo = icon(<path d="M15.500 5 20 9.500 15.500 14M19.500 9.500h-9a5.500 5.500 0 0 0 0 11H15" />);
export const IconCopy = icon(<path d="M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9" />);
const IconPicture = icon(<path d="M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 9h.1" />);
const IconCards = icon(<path d="M8 8h12v11.500H8zM16 8V4.500H4V16h4" />);
const IconFilm = icon(<path d="M4 5.500h16v13H4zM10 9v6l5-3z" />);
const IconSign = icon(<path d="M4 18.500h16M5 14.500 15.500 4l3.500 3.500L8.500 18H5z" />);

export const kindIcons: Record<EditedBlock['kind'], typeof IconFilm> = {
  ...{ text: IconText, picture: IconPicture, cards: IconCards, timeline: IconClock, scenario: IconPathway, question: IconHelp },
  ...{ film: IconFilm, acknowledgement: IconSign, checklist: IconCheck },
};
