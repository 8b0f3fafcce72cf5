-- A mark that does not contradict the one that counts stands behind it: between two others, so positions have fractions.
alter table register_marks alter column seq type numeric;
