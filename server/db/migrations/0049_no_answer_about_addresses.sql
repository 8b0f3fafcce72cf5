-- A plan of an import asked it of as many addresses as there were rows.
drop function address_taken(text);
