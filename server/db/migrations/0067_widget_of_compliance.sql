-- A permission that guards something from now on goes to whoever could do it before. 40: how much is in date on a dashboard needed 79 or 105.
insert into type_permissions (type_id, permission_id) select distinct type_id, 40 from type_permissions where permission_id in (79, 105) on conflict do nothing;
insert into entity_permissions (entity_id, permission_id) select distinct entity_id, 40 from entity_permissions where permission_id in (79, 105) on conflict do nothing;
insert into user_permissions (user_id, permission_id) select distinct user_id, 40 from user_permissions where permission_id in (79, 105) on conflict do nothing;
