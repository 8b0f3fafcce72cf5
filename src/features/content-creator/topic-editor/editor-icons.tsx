import { icon } from '#src/ui/icons.tsx';

export const IconUndo = icon(<path d="M8.500 5 4 9.500 8.500 14M4.500 9.500h9a5.500 5.500 0 0 1 0 11H9" />);
export const IconRedo = icon(<path d="M15.500 5 20 9.500 15.500 14M19.500 9.500h-9a5.500 5.500 0 0 0 0 11H15" />);
export const IconBold = icon(
  <path d="M7.500 5h5.200a3.400 3.400 0 0 1 0 6.800H7.500zM7.500 11.800h6.200a3.600 3.600 0 0 1 0 7.200H7.500z" strokeWidth="2.600" />,
);
export const IconItalic = icon(<path d="M10.500 5h6.500M7 19h6.500M14 5l-4 14" />);
export const IconLink = icon(
  <path d="M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1" />,
);
export const IconBullets = icon(<path d="M9.500 6.500H20M9.500 12H20M9.500 17.500H20M4.800 6.500h.1M4.800 12h.1M4.800 17.500h.1" />);
export const IconNumbers = icon(
  <path d="M10.500 6.500H20M10.500 12H20M10.500 17.500H20M4.500 4.500 6 4v5M4 14.200c1-1.200 3-.9 3 .5 0 1.300-3 2-3 3.800h3.200" />,
);
export const IconQuote = icon(<path d="M5 7.500h5v5c0 2.500-1.500 4-4 4.500M14 7.500h5v5c0 2.500-1.500 4-4 4.500" />);
export const IconDelete = icon(<path d="M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v6M13.500 10.500v6" />);
export const IconAdd = icon(<path d="M12 5v14M5 12h14" />);
export const IconKeyboard = icon(<path d="M3.500 7h17v10.500h-17zM7 10.500h.1M10.300 10.500h.1M13.600 10.500h.1M17 10.500h.1M8 14h8" />);
