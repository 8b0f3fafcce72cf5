-- A course that is imported comes in pieces as the files of contents do, and is deleted once it was taken.
alter table content_uploads drop constraint content_uploads_kind_check;
alter table content_uploads add constraint content_uploads_kind_check check (kind in ('video', 'audio', 'download', 'captions', 'course'));
