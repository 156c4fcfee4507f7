-- Runs once, when Postgres has made its cluster. `createdb`: for `backup --verify`.
\getenv password ATELIER_PASSWORD
create role atelier login createdb password :'password';
create database atelier owner atelier encoding 'UTF8' locale 'C.UTF-8' template template0;
