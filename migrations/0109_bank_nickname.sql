-- What its user calls a bank account on the pages. The name is printed on checks, and is the user's own only by chance.
alter table banks add column nickname text;
