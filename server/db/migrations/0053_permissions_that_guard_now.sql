-- Permissions that guard something from now on go to whoever could do it before. 41: closing an organisation needed 2; 43: dating
-- completed courses again needed 34; 122: limiting content needed 69; 80: everybody saw what they may take.
insert into type_permissions (type_id, permission_id) select type_id, n.now from type_permissions p join (values (2, 41), (34, 43), (69, 122)) n (before, now) on p.permission_id = n.before on conflict do nothing;
insert into entity_permissions (entity_id, permission_id) select entity_id, n.now from entity_permissions p join (values (2, 41), (34, 43), (69, 122)) n (before, now) on p.permission_id = n.before on conflict do nothing;
insert into user_permissions (user_id, permission_id) select user_id, n.now from user_permissions p join (values (2, 41), (34, 43), (69, 122)) n (before, now) on p.permission_id = n.before on conflict do nothing;
insert into type_permissions (type_id, permission_id) select id, 80 from types on conflict do nothing;
