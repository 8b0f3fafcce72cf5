-- Whether those who order have been told that few licences are left of the course of a line, or none: each is told once.
alter table training_order_lines add column shortage_told text check (shortage_told in ('few', 'none'));
