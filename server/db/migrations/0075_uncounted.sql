-- Lessons and quizzes of a content that need not be done to complete it. What counts is published with each version.
alter table contents add column uncounted uuid[] not null default '{}';
